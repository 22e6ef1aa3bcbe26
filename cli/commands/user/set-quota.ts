import { Command, InvalidArgumentError } from 'commander'
import type { User } from '../../../core/accounts/user.ts'
import { QUOTA_MAX } from '../../../core/input.ts'
import { wholeNumber } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

type Change = { to: number } | { by: number }

const amount = wholeNumber({ min: 0, max: QUOTA_MAX })

/** `500`: the new balance. `+500` and `-500`: more or less than it is. */
function quotaChange(text: string): Change {
  if (!/^[+-]?\d+$/.test(text)) throw new InvalidArgumentError('Give a whole number, or one with + or - before it.')
  if (text.startsWith('+')) return { by: amount(text.slice(1)) }
  return text.startsWith('-') ? { by: -amount(text.slice(1)) } : { to: amount(text) }
}

export function userSetQuota(cli: Cli): Command {
  return new Command('set-quota')
    .description('Set the balance of a user, or change it by an amount')
    .argument('<name|id>', 'username, or number')
    .argument(
      '<quota>',
      'the new balance; +n adds to it and -n takes from it, whatever is spent meanwhile',
      quotaChange,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate user set-quota ann 5000000\n  tollgate user set-quota ann +500000\n  tollgate user set-quota ann -500000',
    )
    .action(async (nameOrId: string, change: Change) => {
      const [{ toolkit, actor }, { userOf }] = await Promise.all([cli.open(), import('../../users.ts')])
      const { accounts } = toolkit
      const before = await userOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      const { id } = before
      const user = 'by' in change ? await accounts.adjustQuota(actor, id, change.by) : await setTo(change.to)
      cli.report(cli.say`User ${id}, ${user.username}, has ${quota(user.quota)}.`, user)

      async function setTo(wanted: number): Promise<User> {
        await accounts.update(actor, { id, quota: wanted })
        return (await cli.readBack(() => accounts.get(actor, id))) ?? { ...before, quota: wanted }
      }
    })
}
