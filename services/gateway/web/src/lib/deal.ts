/** Checking, here in the browser, that a hand came from the deck that was committed to. */
import { Problem, api } from './api';
import { NotedError, ProofError, verify } from './fairness';
import { notedOf } from './noted';
import { isTransient } from './retry';
import { isNoSession, loseSession } from './session.svelte';
import type { FairnessProof, HandRecord } from './types';

export type Verdict =
  | {
      readonly is: 'holds';
      readonly proof: FairnessProof;
      readonly cards: readonly string[];
      /** Whether the root was compared with the one that this device noted beforehand. */
      readonly root: boolean;
      /** The same of the client seed that this device drew; a root is noted with one only. */
      readonly seed: boolean;
    }
  | Broken
  /** The proof holds, but not for what this device noted. */
  | Exchanged
  /** The hand is from before decks were committed to. */
  | { readonly is: 'none' }
  /** This page was not loaded securely, so the browser lends it no cryptography. */
  | { readonly is: 'unsupported' }
  | { readonly is: 'lost' };

export interface Broken extends Pick<ProofError, 'flaw' | 'at'> {
  readonly is: 'broken';
}

export interface Exchanged {
  readonly is: 'exchanged';
  readonly what: NotedError['what'];
  readonly noted: string;
  readonly told: string | null;
}

/** Fetches the proof of a hand and checks it against the hand's record and this device's notes. */
export async function checkDeal(
  record: HandRecord,
  secure: boolean = globalThis.isSecureContext,
): Promise<Verdict> {
  if (!secure) return { is: 'unsupported' };
  try {
    const proof = await api.proof(record.hand_id);
    const noted = notedOf(record.hand_id, proof);
    const cards = [...(await verify(proof, record, noted)).values()];
    const { announced, seed } = noted;
    return { is: 'holds', proof, cards, root: announced !== null, seed: seed !== null };
  } catch (error) {
    if (error instanceof NotedError) {
      const { what, noted, told } = error;
      return { is: 'exchanged', what, noted, told };
    }
    if (error instanceof ProofError) return { is: 'broken', flaw: error.flaw, at: error.at };
    if (isNoSession(error)) loseSession();
    else if (error instanceof Problem && error.status === 404) return { is: 'none' };
    else if (!(error instanceof Problem) && !isTransient(error)) throw error;
    return { is: 'lost' };
  }
}
