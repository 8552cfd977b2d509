"""The HTTP part of the server: its operations, what they answer, and the files of the browser client."""
