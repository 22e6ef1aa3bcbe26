import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showList } from '../../output/listing.ts'

/** Filter of user lists. */
export interface UserFilter extends ListFlags {
  group?: string
  role?: string
  status?: string
}

/** The API has no status for deleted accounts. */
const DELETED = 0

export function withUserFilter(command: Command): Command {
  return command
    .option('--group <name>', 'only those of this group')
    .option('--role <word>', 'only common, admin or root')
    .option('--status <word>', 'only enabled, disabled or deleted (default: all)')
}

export async function showUsers(
  cli: Cli,
  { group, role, status, ...flags }: UserFilter,
  keyword: string | undefined,
): Promise<void> {
  const [{ numberOf }, { ROLE, USER_STATUS }, { USER_COLUMNS }] = await Promise.all([
    import('../../input/enum-labels.ts'),
    import('../../../core/actor.ts'),
    import('../../columns/user.ts'),
  ])
  const state = status === undefined ? undefined : numberOf({ ...USER_STATUS, deleted: DELETED }, '--status', status)
  const filter = {
    ...(keyword !== undefined && { keyword }),
    ...(group !== undefined && { group }),
    ...(role !== undefined && { role: numberOf(ROLE, '--role', role) }),
    ...(state !== undefined && (state === DELETED ? { deleted: true } : { status: state })),
  }
  const { toolkit, actor } = await cli.open()
  await showList(cli, flags, async (paging) => toolkit.accounts.list(actor, { ...filter, ...paging }), {
    columns: USER_COLUMNS,
    empty: cli.say`No such users.`,
  })
}
