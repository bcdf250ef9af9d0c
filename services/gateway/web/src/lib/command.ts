/** What keys, and commands typed at the text table, do at the table. */
import type { Command } from './keys';
import { greyText, sizeLabel } from './labels';
import { stepBy } from './sizing';
import type { TableSession } from './table.svelte';

export interface Elsewhere {
  history: () => void;
  help: () => void;
}

export function carryOut(command: Command, table: TableSession, elsewhere: Elsewhere): void {
  // As the buttons are: locked while an action is on its way.
  const legal = table.bar === 'your_turn' ? table.view?.legal : null;
  switch (command.do) {
    case 'fold':
      if (legal?.can_fold) void table.act('fold');
      break;
    case 'check_call':
      if (legal) void table.act(legal.can_check ? 'check' : 'call');
      break;
    case 'bet_raise':
      if (legal?.raise) void table.act(legal.raise.kind);
      break;
    case 'all_in':
      if (legal?.raise) table.size(legal.raise.max_to);
      break;
    case 'step':
      if (legal?.raise) table.size(stepBy(table.amount, command.steps, legal.raise));
      break;
    case 'shortcut': {
      const preset = legal?.presets[command.index];
      if (preset?.enabled && preset.amount !== null) table.size(preset.amount);
      else if (preset?.reason) {
        const range = legal?.raise ?? null;
        table.say(() => `${sizeLabel(preset.label)}: ${greyText(preset, range, table.money)}`);
      }
      break;
    }
    case 'skip':
      table.skip();
      break;
    case 'next_hand':
      void table.nextHand();
      break;
    case 'top_up':
      void table.topUp();
      break;
    case 'leave':
      void table.settle();
      break;
    case 'history':
      elsewhere.history();
      break;
    case 'help':
      elsewhere.help();
  }
}
