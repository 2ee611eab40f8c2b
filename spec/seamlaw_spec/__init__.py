"""The laws of Seamlaw, and the checks that hold the kernel and your own policies to them."""
