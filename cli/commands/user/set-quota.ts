import { InvalidArgumentError } from 'commander'
import type { User } from '../../../core/accounts/user.ts'
import { QUOTA_MAX } from '../../../core/input.ts'
import { usageError } from '../../errors.ts'
import { idempotencyKey } from '../../input/arguments.ts'
import { Dollars, MINUS, quotaAmount } from '../../output/dollars.ts'
import { runIdempotent } from '../../run/run-idempotent.ts'
import { plainVerb } from '../../run/verbs.ts'
import { userOf } from '../../users.ts'

type Change = { to: number } | { by: number }

const amount = quotaAmount({ min: 0, max: QUOTA_MAX })

/** Parses `500` as a new balance, `+500` and `-500` as changes. */
function quotaChange(text: string): Change {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/.exec(text.replace(MINUS, '-')) ?? []
  if (rest === '' || rest.startsWith('-')) {
    throw new InvalidArgumentError('Give a whole number, or one with + or - before it.')
  }
  const changeOf = (quota: number): Change => {
    if (sign === '+') return { by: quota }
    return sign === '-' ? { by: -quota } : { to: quota }
  }
  const value: unknown = amount(rest)
  return value instanceof Dollars ? (value.as(changeOf) as unknown as Change) : changeOf(value as number)
}

export const userSetQuota = plainVerb({
  name: 'set-quota',
  description: 'Set the balance of a user, or change it by an amount',
  examples: [
    'tollgate user set-quota ann 5000000',
    'tollgate user set-quota ann +500000',
    'tollgate user set-quota ann -500000',
    'tollgate user set-quota ann +10usd',
    'tollgate user set-quota ann -10usd',
    'tollgate user set-quota ann +500000 --idempotency-key invoice-17',
  ],
  syntax: (command) =>
    command
      .argument('<name|id>', 'username, or number')
      .argument('<quota>', 'the new balance; +n adds to it and -n takes from it, while relays spend', quotaChange)
      .option(
        '--idempotency-key <text>',
        'with +n or -n: change it once, however often the command is run with this key',
        idempotencyKey,
      ),
  async run(cli, nameOrId: string, change: Change, { idempotencyKey: key }: { idempotencyKey?: string }) {
    if (key !== undefined && 'to' in change) {
      throw usageError(cli.say`--idempotency-key goes with +n or -n: a new balance is the same when it is set twice`)
    }
    const { toolkit, actor } = await cli.open()
    const { accounts } = toolkit
    const before = await userOf(toolkit, actor, nameOrId)
    const { quota } = await cli.format()
    const { id } = before
    const user =
      'by' in change
        ? await runIdempotent(cli, key, (one) => accounts.adjustQuota(actor, id, change.by, one))
        : await setTo(change.to)
    cli.report(cli.say`User ${id}, ${user.username}, has ${quota(user.quota)}.`, user)

    async function setTo(wanted: number): Promise<User> {
      await accounts.update(actor, { id, quota: wanted })
      return (await cli.readBack(() => accounts.get(actor, id))) ?? { ...before, quota: wanted }
    }
  },
})
