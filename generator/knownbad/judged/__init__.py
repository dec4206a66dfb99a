"""What a reply comes to under the three assertions: shape, hint identity, retryability."""
