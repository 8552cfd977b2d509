"""The browser client's pure modules, in Node."""
