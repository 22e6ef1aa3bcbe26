import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { redemptionCreate } from './redemption/create.ts'
import { redemptionList } from './redemption/list.ts'

export function redemption(cli: Cli): Command {
  return new Command('redemption').addCommand(redemptionCreate(cli)).addCommand(redemptionList(cli))
}
