import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { tokenStatus } from './status.ts'

export function tokenEnable(cli: Cli): Command {
  return tokenStatus(cli, {
    verb: 'enable',
    description: 'Let API keys be used again',
    example: 'tollgate token enable 1',
    done: ({ id, name }) => cli.say`Token ${id}, ${name}, is enabled.`,
  })
}
