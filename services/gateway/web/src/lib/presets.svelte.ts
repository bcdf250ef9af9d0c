/** The bet sizes of an account on the desk: read, arranged, tried in the present spot, saved. */
import type { Tagged } from './api';
import { Problem, api, fieldErrors } from './api';
import type { Kept } from './messages';
import { NOTHING, m } from './messages';
import type { Refusal, Row } from './presets';
import { added, keyOf, labelOf, moved, refusalText, removed, sameRow } from './presets';
import { isLimit, isTransient } from './retry';
import { isNoSession, loseSession } from './session.svelte';
import type { BetPresets, PresetKind, PresetRows, PresetSet, Preset } from './types';

type Spot = 'asking' | 'shown' | 'waits' | 'lost';

export class PresetDesk {
  state = $state<'loading' | 'ready' | 'saving' | 'unread'>('loading');
  set = $state<PresetSet>('preflop');
  rows = $state.raw<PresetRows>({ preflop: [], postflop: [] });
  /** What a newer version or a reset put aside. */
  mine = $state.raw<PresetRows | null>(null);
  /** What each of the row is in the present spot, by its key. */
  tried = $state.raw<ReadonlyMap<string, Preset>>(new Map());
  spot = $state<Spot>('asking');

  private told = $state.raw<Kept>(NOTHING);
  /** As the account has them. */
  private saved = $state.raw<PresetRows>({ preflop: [], postflop: [] });
  private etag = '';
  private asked = 0;

  constructor(
    private readonly tableId: string,
    /** Told when the account has new ones, so that the table can show them. */
    private readonly onsaved: () => void = () => undefined,
  ) {}

  get row(): Row {
    return this.rows[this.set];
  }

  /** What happened last, in words. */
  get said(): string {
    return this.told();
  }

  /** Whether there is something to save. */
  get changed(): boolean {
    const { rows, saved } = this;
    return !sameRow(rows.preflop, saved.preflop) || !sameRow(rows.postflop, saved.postflop);
  }

  async load(): Promise<void> {
    this.state = 'loading';
    this.told = NOTHING;
    try {
      this.take(await api.presets());
    } catch (error) {
      this.state = 'unread';
      this.told = this.refused(error) ?? (() => m.customise.unread);
    }
  }

  /** Shows the other row; its amounts are asked for. */
  choose(set: PresetSet): void {
    this.set = set;
    this.told = NOTHING;
  }

  /** Whether it was added. */
  add(kind: PresetKind, typed: string): boolean {
    const row = added(this.row, kind, typed);
    const wish = (typeof row === 'string' ? null : row.at(-1)) ?? { kind, value: typed };
    return this.put(row, () => m.customise.added(labelOf(wish)));
  }

  remove(index: number): boolean {
    const gone = this.row[index];
    return this.put(removed(this.row, index), () => m.customise.removed(gone ? labelOf(gone) : ''));
  }

  move(index: number, by: -1 | 1): boolean {
    const wish = this.row[index];
    if (!wish) return false;
    const row = moved(this.row, index, by);
    if (row === this.row) {
      this.told = () => m.customise[by < 0 ? 'first' : 'last'](labelOf(wish));
      return false;
    }
    return this.put(row, () => m.customise.moved(labelOf(wish), index + by + 1, row.length));
  }

  private put(row: Row | Refusal, words: Kept): boolean {
    if (this.state !== 'ready') return false;
    if (typeof row === 'string') {
      this.told = () => refusalText(row);
      return false;
    }
    this.rows = { ...this.rows, [this.set]: row };
    this.told = words;
    return true;
  }

  /** Whether they are saved now. */
  async save(): Promise<boolean> {
    const rows = this.rows;
    return this.write(
      () => api.savePresets(rows, this.etag),
      () => m.customise.saved,
      null,
    );
  }

  async reset(): Promise<boolean> {
    const { rows } = this;
    return this.write(
      () => api.resetPresets(this.etag),
      () => m.customise.wasReset,
      rows,
    );
  }

  /** Puts back what was on the desk before; saving it is another step. */
  bringBack(): void {
    if (!this.mine) return;
    this.rows = this.mine;
    this.mine = null;
    this.told = () => m.customise.broughtBack;
  }

  private async write(
    ask: () => Promise<Tagged<BetPresets>>,
    words: Kept,
    aside: PresetRows | null,
  ): Promise<boolean> {
    if (this.state !== 'ready') return false;
    this.state = 'saving';
    try {
      this.take(await ask());
    } catch (error) {
      await this.notSaved(error);
      return false;
    }
    this.mine = aside;
    this.told = words;
    this.onsaved();
    return true;
  }

  private async notSaved(error: unknown): Promise<void> {
    this.state = 'ready';
    if (error instanceof Problem && [409, 412].includes(error.status)) return this.newer();
    this.told = this.refused(error) ?? (() => m.problem.other);
  }

  /** Another device was faster: its version is shown, this one is put aside. */
  private async newer(): Promise<void> {
    const { rows } = this;
    await this.load();
    if (this.state !== 'ready') return;
    this.mine = rows;
    this.told = () => m.customise.elsewhere;
  }

  private take({ value, etag }: Tagged<BetPresets>): void {
    const wishes = (set: PresetSet): Row =>
      value[set].map(({ kind, value: v }) => ({ kind, value: v }));
    this.saved = { preflop: wishes('preflop'), postflop: wishes('postflop') };
    this.rows = this.saved;
    this.etag = etag;
    this.state = 'ready';
  }

  /** Why the server took nothing, in words; null when it did not say. */
  private refused(error: unknown): Kept | null {
    if (isLimit(error)) return () => m.customise.limited;
    if (isTransient(error)) return () => m.customise.lost;
    if (!(error instanceof Problem)) throw error;
    if (isNoSession(error)) loseSession();
    if (error.type === 'preset-limit') return () => refusalText('limit');
    const why = fieldErrors(error).join(' ') || error.detail;
    return why ? () => why : null;
  }

  /** Asks what the row on the desk comes to in the present spot; only the last answer counts. */
  async try(): Promise<void> {
    const turn = (this.asked += 1);
    const { row } = this;
    if (row.length === 0) return;
    try {
      const { presets } = await api.preview(this.tableId, row);
      if (turn !== this.asked) return;
      this.tried = new Map(
        presets.flatMap((preset, place) => {
          const wish = row[place];
          return wish ? [[keyOf(wish), preset]] : [];
        }),
      );
      this.spot = 'shown';
    } catch (error) {
      if (turn === this.asked) this.untried(error);
    }
  }

  private untried(error: unknown): void {
    this.tried = new Map();
    if (!isTransient(error) && !(error instanceof Problem)) throw error;
    const waits = error instanceof Problem && error.type === 'not-your-turn';
    this.spot = waits ? 'waits' : 'lost';
  }
}
