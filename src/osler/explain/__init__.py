"""How reasons are shown: terminal, HTML, SVG."""
