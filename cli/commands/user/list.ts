import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { withListFlags } from '../../output/listing.ts'
import { showUsers, type UserFilter, withUserFilter } from './filter.ts'

export function userList(cli: Cli): Command {
  const command = new Command('list')
    .description('List users, newest first')
    .option('--search <text>', 'only those whose name or mail address contains this, or of this number')
  return withListFlags(withUserFilter(command))
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate user list --group default\n  tollgate user list --status disabled --all',
    )
    .action(({ search, ...flags }: UserFilter & { search?: string }) => showUsers(cli, flags, search))
}
