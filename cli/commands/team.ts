import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { teamCreate } from './team/create.ts'
import { teamDelete } from './team/delete.ts'
import { teamDeleteKey } from './team/delete-key.ts'
import { teamGet } from './team/get.ts'
import { teamInvite } from './team/invite.ts'
import { teamInvites } from './team/invites.ts'
import { teamJoin } from './team/join.ts'
import { teamKeys } from './team/keys.ts'
import { teamLeave } from './team/leave.ts'
import { teamList } from './team/list.ts'
import { teamLogs } from './team/logs.ts'
import { teamMembers } from './team/members.ts'
import { teamReceipt } from './team/receipt.ts'
import { teamRedeem } from './team/redeem.ts'
import { teamRemove } from './team/remove.ts'
import { teamRevokeInvite } from './team/revoke-invite.ts'
import { teamRole } from './team/role.ts'
import { teamSetQuota } from './team/set-quota.ts'
import { teamStat } from './team/stat.ts'
import { teamTransfer } from './team/transfer.ts'
import { teamUpdate } from './team/update.ts'
import { teamUpdateKey } from './team/update-key.ts'

export function team(cli: Cli): Command {
  return [
    teamList,
    teamGet,
    teamCreate,
    teamUpdate,
    teamMembers,
    teamRole,
    teamInvite,
    teamInvites,
    teamRevokeInvite,
    teamJoin,
    teamLeave,
    teamTransfer,
    teamRedeem,
    teamSetQuota,
    teamKeys,
    teamUpdateKey,
    teamDeleteKey,
    teamStat,
    teamLogs,
    teamReceipt,
    teamRemove,
    teamDelete,
  ].reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('team'))
}
