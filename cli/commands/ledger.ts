import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { ledgerVerify } from './ledger/verify.ts'

export function ledger(cli: Cli): Command {
  return new Command('ledger').addCommand(ledgerVerify(cli))
}
