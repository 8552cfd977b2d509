"""The guide for operators and the files of deploy/, with the programs that they are for."""
