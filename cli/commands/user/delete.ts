import { appended } from '../../input/arguments.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'
import { verb } from '../../run/verbs.ts'

interface Options extends BulkFlags {
  yes?: true
  forGood?: true
}

export const userDelete = verb({
  name: 'delete',
  description: 'Delete users: sessions and API keys end, names and mail addresses stay taken',
  examples: ['tollgate user delete ann --yes'],
  syntax: (command) =>
    withBulkFlags(
      command
        .argument('<name|id...>', 'usernames, or numbers', appended)
        .option('--for-good', 'remove the row too, also of those deleted before: names and addresses are free again')
        .option('-y, --yes', 'do not ask'),
    ),
  async run({ cli, toolkit, actor }, names: string[], { yes, forGood, keepGoing }: Options) {
    const [{ userOf, userOrDeleted }, { checkDeletable, outcomeOf }] = await Promise.all([
      import('../../users.ts'),
      import('../../../core/accounts/actions.ts'),
    ])
    await runBulk(cli, names, {
      keepGoing,
      async check(name) {
        const user = await (forGood ? userOrDeleted : userOf)(toolkit, actor, name)
        if (forGood) checkDeletable(actor, user)
        else outcomeOf(actor, user, 'delete')
        return user
      },
      approve: (users) => {
        const who = users.map(({ username }) => username).join(', ')
        return cli.confirm(
          forGood
            ? cli.say`Delete ${who} for good? Log rows and bookings stay.`
            : cli.say`Delete ${who}? There is no way back.`,
          { yes },
        )
      },
      act: async ({ id, username }) => {
        if (forGood) await toolkit.accounts.delete(actor, id)
        else await toolkit.accounts.manage(actor, id, 'delete')
        return { id, username }
      },
      done: ({ id, username }) => cli.say`Deleted user ${id}, ${username}.`,
      json: (deleted) => ({ deleted: deleted.map(({ id }) => id) }),
    })
  },
})
