import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { appended } from '../../input/arguments.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'

type Word = 'enable' | 'disable' | 'promote' | 'demote'

const DESCRIPTIONS: Record<Word, string> = {
  enable: 'Let users sign in and use their API keys again',
  disable: 'Keep users out: sessions end, and their API keys are refused',
  promote: 'Make users administrators; for root',
  demote: 'Make administrators common users again; for root',
}
const EXAMPLES: Record<Word, string> = {
  enable: 'tollgate user enable ann',
  disable: 'tollgate user disable ann',
  promote: 'tollgate user promote ann',
  demote: 'tollgate user demote ann carol --keep-going',
}

/** `user enable`, `disable`, `promote` and `demote`. */
export function userAction(cli: Cli, word: Word): Command {
  const command = new Command(word)
    .description(DESCRIPTIONS[word])
    .argument('<name|id...>', 'usernames, or numbers', appended)
  return withBulkFlags(command)
    .addHelpText('after', `\nExamples:\n  ${EXAMPLES[word]}`)
    .action(async (names: string[], { keepGoing }: BulkFlags) => {
      const [{ toolkit, actor }, { userOf }, { statusWord }, { labelOf }, { ROLE }, { outcomeOf }] = await Promise.all([
        cli.open(),
        import('../../users.ts'),
        import('../../columns/user.ts'),
        import('../../input/enum-labels.ts'),
        import('../../../core/actor.ts'),
        import('../../../core/accounts/actions.ts'),
      ])
      await runBulk(cli, names, {
        keepGoing,
        async check(name) {
          const user = await userOf(toolkit, actor, name)
          outcomeOf(actor, user, word)
          return user
        },
        act: async ({ id }) => toolkit.accounts.manage(actor, id, word),
        done: (user) => {
          const state = word === 'promote' || word === 'demote' ? labelOf(ROLE, user.role) : statusWord(user)
          return cli.say`User ${user.id}, ${user.username}: ${state}.`
        },
      })
    })
}
