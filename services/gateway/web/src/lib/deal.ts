/** Checking, here in the browser, that a hand came from the deck that was committed to. */
import { Problem, api } from './api';
import { ProofError, verify } from './fairness';
import { isTransient } from './retry';
import { isNoSession, loseSession } from './session.svelte';
import type { FairnessProof, HandRecord } from './types';

export type Verdict =
  | { readonly is: 'holds'; readonly proof: FairnessProof; readonly cards: readonly string[] }
  | { readonly is: 'broken'; readonly why: string }
  /** The hand is from before decks were committed to. */
  | { readonly is: 'none' }
  /** This page was not loaded securely, so the browser lends it no cryptography. */
  | { readonly is: 'unsupported' }
  | { readonly is: 'lost' };

/** Fetches the proof of a hand and checks it against the hand's record. */
export async function checkDeal(
  record: HandRecord,
  secure: boolean = globalThis.isSecureContext,
): Promise<Verdict> {
  if (!secure) return { is: 'unsupported' };
  try {
    const proof = await api.proof(record.hand_id);
    const opened = await verify(proof, record);
    return { is: 'holds', proof, cards: [...opened.values()] };
  } catch (error) {
    if (error instanceof ProofError) return { is: 'broken', why: error.message };
    if (isNoSession(error)) loseSession();
    else if (error instanceof Problem && error.status === 404) return { is: 'none' };
    else if (!(error instanceof Problem) && !isTransient(error)) throw error;
    return { is: 'lost' };
  }
}
