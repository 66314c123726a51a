//! The way from one region to the next: which composites are closed and opened between two transitions.

use sequent_kernel::id::Id;
use sequent_kernel::model::{RegionId, Transition};

use super::scopes::chain;
use super::{OpenComposite, PlantumlStatePrinter, regions};

impl PlantumlStatePrinter<'_> {
    /// Goes to the region that a transition needs, or to where it fits best.
    pub(super) fn approach(&mut self, transition: &Transition) {
        if let Some(region) = self.scopes.needs[self.at] {
            self.go(region);
            return;
        }
        let source = chain(self.machine, self.machine.vertices[transition.source].region);
        let target = chain(self.machine, self.machine.vertices[transition.target].region);
        let common = source.iter().zip(&target).take_while(|(one, other)| one == other).count();
        if let Some(region) = source[..common].last() {
            if self.may_go(*region) {
                self.go(*region);
            }
        }
    }

    /// Whether going to a region costs nothing: nothing open is needed again that cannot be opened again.
    fn may_go(&self, region: RegionId) -> bool {
        let chain = chain(self.machine, region);
        let common =
            self.open.iter().zip(&chain).take_while(|(open, region)| open.region() == **region).count();
        let closes_freely = self.open.iter().skip(common + 1).all(|open| self.may_close(open));
        let Some(open) = self.open.get(common) else {
            return chain[common..].iter().all(|region| self.may_open(*region));
        };
        match chain.get(common) {
            None => closes_freely && self.may_close(open),
            Some(region) => {
                let there = open.regions.iter().position(|other| other == region);
                let advances =
                    there.is_some_and(|there| there > open.position && self.may_leave(open, there));
                closes_freely && advances && chain[common + 1..].iter().all(|region| self.may_open(*region))
            }
        }
    }

    fn may_close(&self, open: &OpenComposite) -> bool {
        open.regions.len() == 1 || self.may_leave(open, open.regions.len())
    }

    /// Whether no region from the current one up to `end` is needed any more.
    fn may_leave(&self, open: &OpenComposite, end: usize) -> bool {
        open.regions[open.position..end].iter().all(|region| !self.scopes.is_needed(*region, self.at))
    }

    /// Whether the composite around a region has not been opened and regions before this one are not needed.
    fn may_open(&self, region: RegionId) -> bool {
        let Some(owner) = self.machine.regions[region].owner else { return false };
        let earlier = regions(self.machine, owner).iter().take_while(|other| **other != region);
        !self.printed[owner.index()]
            && earlier.into_iter().all(|region| !self.scopes.is_needed(*region, self.at))
    }

    /// Closes and opens composites until `region` is the current one.
    fn go(&mut self, region: RegionId) {
        let chain = chain(self.machine, region);
        while self.open.len() > 1 && !self.leads_to(&chain) {
            self.close();
        }
        for (depth, region) in chain.iter().enumerate().skip(self.open.len() - 1) {
            if depth == self.open.len() {
                let owner =
                    self.machine.regions[*region].owner.expect("only the top has no owner, and it is open");
                self.flush_before(owner);
                self.open_composite(owner);
            }
            while self.open[depth].position < self.open[depth].position_of(*region) {
                self.next_region();
            }
        }
    }

    /// Whether what is open lies on the way to the end of a chain of regions.
    fn leads_to(&self, chain: &[RegionId]) -> bool {
        let innermost = self.open.len() - 1;
        let on_the_way = |(depth, open): (usize, &OpenComposite)| {
            let Some(region) = chain.get(depth) else { return false };
            let same = open.owner == self.machine.regions[*region].owner;
            let ahead = depth == innermost && open.position <= open.position_of(*region);
            same && (open.region() == *region || ahead)
        };
        self.open.iter().enumerate().all(on_the_way)
    }
}
