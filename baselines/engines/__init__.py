"""Engine protocols: our policies as engines that speak GTP or UCI, and engines in other processes as our policies."""
