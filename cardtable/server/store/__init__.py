"""The database: logs of tables and everything else that outlives the process."""
