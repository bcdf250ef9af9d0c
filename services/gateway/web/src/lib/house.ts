/**
 * What this house is set up with, for texts that are shown before a server was asked, or about
 * things whose answer does not say. Where an answer says it, the answer counts.
 */

/** Hands that a rank takes. */
export const RANKED_HANDS = 500;

/** How long the seat of somebody who left is kept. */
export const KEPT_HOURS = 24;
