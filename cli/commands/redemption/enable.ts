import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { redemptionStatus } from './status.ts'

export function redemptionEnable(cli: Cli): Command {
  return redemptionStatus(cli, {
    verb: 'enable',
    description: 'Let disabled redemption codes be redeemed again',
    example: 'tollgate redemption enable 1',
    done: ({ id, name }) => cli.say`Code ${id}, ${name}, can be redeemed.`,
  })
}
