"""The command line: one file a command. A command has `configure(parser)` and `main(arguments) -> exit status`."""
