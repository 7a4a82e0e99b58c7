"""One line gives a foreign package its proof."""

stepscript_packages = "faulty"
