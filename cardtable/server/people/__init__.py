"""People: identities, devices, stored data, and the operator's decisions about them."""
