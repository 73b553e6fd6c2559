"""``python -m osler``: the command line, where its script is not on the path."""

from osler.cli.main import main

if __name__ == "__main__":
    main()
