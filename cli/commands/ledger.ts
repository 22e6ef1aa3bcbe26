import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { ledgerReconcile } from './ledger/reconcile.ts'
import { ledgerRepair } from './ledger/repair.ts'
import { ledgerVerify } from './ledger/verify.ts'

export function ledger(cli: Cli): Command {
  return new Command('ledger')
    .addCommand(ledgerVerify(cli))
    .addCommand(ledgerRepair(cli))
    .addCommand(ledgerReconcile(cli))
}
