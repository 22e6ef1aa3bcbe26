import type { User } from '../../../core/accounts/user.ts'
import { QUOTA_MAX } from '../../../core/input.ts'
import { InvalidValue } from '../../command.ts'
import { usageError } from '../../errors.ts'
import { idempotencyKey } from '../../input/arguments.ts'
import { Dollars, MINUS, quotaAmount } from '../../output/dollars.ts'
import { runIdempotent } from '../../run/run-idempotent.ts'
import { plainVerb } from '../../run/verbs.ts'
import { userOf } from '../../users.ts'

type Change = { to: number } | { by: number }

const amount = quotaAmount({ min: 0, max: QUOTA_MAX })

/** Parses `500` as a new balance, and `+500` and `-500` as changes of the balance. */
function quotaChange(text: string): Change {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/.exec(text.replace(MINUS, '-')) ?? []
  if (rest === '' || rest.startsWith('-')) throw new InvalidValue({ id: 'user.expectedAWholeNumber' })
  const changeOf = (quota: number): Change => {
    if (sign === '+') return { by: quota }
    return sign === '-' ? { by: -quota } : { to: quota }
  }
  const value: unknown = amount(rest)
  return value instanceof Dollars ? (value.as(changeOf) as unknown as Change) : changeOf(value as number)
}

export const userSetQuota = plainVerb({
  name: 'set-quota',
  description: 'user.setTheBalanceOfAUser',
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
      .argument('<name|id>', 'user.usernameOrId')
      .argument('<quota>', 'user.newBalanceN', quotaChange)
      .option('--idempotency-key <text>', 'user.idempotencyKeyForNOrN', idempotencyKey),
  async run(cli, nameOrId: string, change: Change, { idempotencyKey: key }: { idempotencyKey?: string }) {
    if (key !== undefined && 'to' in change) throw usageError(cli.t('user.idempotencyKeyNeedsNOrN'))
    const { toolkit, actor } = await cli.open()
    const { accounts } = toolkit
    const before = await userOf(toolkit, actor, nameOrId)
    const { quota } = await cli.format()
    const { id } = before
    const user =
      'by' in change
        ? await runIdempotent(cli, key, (idempotency) => accounts.adjustQuota(actor, id, change.by, idempotency))
        : await setTo(change.to)
    cli.report(cli.t('user.userNowHas', { id, username: user.username, quota: quota(user.quota) }), user)

    async function setTo(wanted: number): Promise<User> {
      await accounts.update(actor, { id, quota: wanted })
      return (await cli.readBack(() => accounts.get(actor, id))) ?? { ...before, quota: wanted }
    }
  },
})
