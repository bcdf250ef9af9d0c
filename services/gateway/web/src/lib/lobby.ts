/** What the first page shows. */
import { Problem, api } from './api';
import { isTransient } from './retry';
import { isNoSession } from './session.svelte';
import type { Lobby, Resume } from './types';

export interface LobbyView extends Lobby {
  /** The open match is over, because its player is out of chips: it can only be settled. */
  finished: boolean;
}

export async function readLobby(): Promise<LobbyView> {
  const lobby = await api.lobby();
  return { ...lobby, finished: lobby.resume !== null && (await isFinished(lobby.resume)) };
}

/** The lobby does not tell; the table does. A table that cannot be read is not finished. */
async function isFinished(resume: Resume): Promise<boolean> {
  if (resume.consequence !== 'settle') return false;
  try {
    return (await api.table(resume.table_id)).match.state === 'busted';
  } catch (error) {
    if (error instanceof Problem && !isTransient(error) && !isNoSession(error)) return false;
    throw error;
  }
}
