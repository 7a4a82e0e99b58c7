"""The one line that gives a foreign package its proof."""

stepscript_packages = "faulty"
