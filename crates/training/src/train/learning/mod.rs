//! How it is learned: the network with its gradients, the steps, the rate of each.

pub(super) mod adam;
pub(super) mod learner;
pub(super) mod losses;
pub(super) mod network;
pub(super) mod schedule;
