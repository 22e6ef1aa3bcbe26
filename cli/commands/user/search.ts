import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { withListFlags } from '../../output/listing.ts'
import { showUsers, type UserFilter, withUserFilter } from './filter.ts'

export function userSearch(cli: Cli): Command {
  const command = new Command('search')
    .description('Find users: the same as list --search')
    .argument('<text>', 'part of a name or mail address, or a number')
  return withListFlags(withUserFilter(command))
    .addHelpText('after', '\nExamples:\n  tollgate user search ann')
    .action((text: string, flags: UserFilter) => showUsers(cli, flags, text))
}
