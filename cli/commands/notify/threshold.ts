import { Command } from 'commander'
import { commaList } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { positiveInt, wholeNumber } from '../../input/arguments.ts'

const percent = wholeNumber({ min: 1, max: 100 })
const percents = (text: string): number[] => commaList(text).map(percent)

export function notifyThreshold(cli: Cli): Command {
  return new Command('threshold')
    .description('Show or set the used percents of your balance or of a key at which you get a notice')
    .option('--token <id>', 'of the budget of this key instead of your balance', positiveInt)
    .option('--user <name|id>', "another user's instead of yours; for administrators")
    .option('--percents <list>', "such as 50,80,100; '' for none", percents)
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate notify threshold\n  tollgate notify threshold --percents 50,80,100\n  tollgate notify threshold --token 1 --percents 90\n  tollgate notify threshold --user ann --percents 80,100',
    )
    .action(async ({ token, user, percents }: { token?: number; user?: string; percents?: number[] }) => {
      const [{ toolkit, actor }, { NOTICE_THRESHOLD_COLUMNS: columns }] = await Promise.all([
        cli.open(),
        import('../../columns/notice.ts'),
      ])
      const { userIdOf } = await import('../../users.ts')
      const userId = user === undefined ? actor.id : await userIdOf(toolkit, actor, user)
      if (percents === undefined) {
        const all = await toolkit.notices.thresholds(actor, user === undefined ? {} : { user_id: userId })
        const rows =
          token === undefined ? all : all.filter((row) => row.subject === 'token' && row.subject_id === token)
        return cli.print(rows, { columns, empty: cli.say`None are set: notices come at 80% and 100%.` })
      }
      const subject = token === undefined ? 'user' : 'token'
      const set = await toolkit.notices.setThreshold(actor, { subject, subject_id: token ?? userId, percents })
      cli.report(cli.say`The thresholds are set.`, set)
    })
}
