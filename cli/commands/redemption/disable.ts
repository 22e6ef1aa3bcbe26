import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { redemptionStatus } from './status.ts'

export function redemptionDisable(cli: Cli): Command {
  return redemptionStatus(cli, {
    verb: 'disable',
    description: 'Refuse unused redemption codes until they are enabled again',
    example: 'tollgate redemption disable 1',
    done: ({ id, name }) => cli.say`Code ${id}, ${name}, is disabled.`,
  })
}
