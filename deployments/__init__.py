"""The Ray Serve deployments, a file each. The graph that connects them is built in `serve.graph`."""
