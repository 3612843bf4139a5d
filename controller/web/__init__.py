"""The screens: pages, their live channel and their JSON interface, served from the controller's own loop."""
