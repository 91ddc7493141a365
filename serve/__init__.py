"""The application: settings, the launcher and its parts, HTTP, stores, pages and the command line.

Nothing is imported here: `maven-serve --help` pays for what it uses only.
"""
