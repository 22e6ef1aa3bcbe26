import { Argument } from 'commander'
import { NOTICE_EVENTS, NOTICE_KINDS, type NoticeKind } from '../../../core/notices/notice.ts'
import { plainVerb } from '../../run/verbs.ts'
import { eventsOf, settingsOf, type TargetFlags, withTargetFlags } from './target-flags.ts'

export const notifyAdd = plainVerb({
  name: 'add',
  description: 'Add a target of notices',
  help: `Events: ${NOTICE_EVENTS.join(', ')}

Examples:
  tollgate notify add mail me --events balance.reached,sign-in.new
  tollgate notify add slack ops --gateway --url https://hooks.slack.com/services/… --events channel.disabled,job.failed`,
  syntax: (command) =>
    withTargetFlags(
      command
        .addArgument(new Argument('<kind>', 'how notices are delivered').choices([...NOTICE_KINDS]))
        .argument('<name>', 'what you recognize it by, up to 64 characters')
        .option('--gateway', "one of the gateway's own instead of yours; for root"),
    ),
  async run(cli, kind: NoticeKind, name: string, flags: TargetFlags & { gateway?: true }) {
    const settings = await settingsOf(cli, flags)
    const { toolkit, actor } = await cli.open()
    const made = await toolkit.notices.create(actor, {
      kind,
      name,
      settings,
      events: eventsOf(flags) ?? [],
      ...(flags.language && { language: flags.language }),
      ...(flags.gateway && { gateway: true }),
    })
    cli.report(cli.say`Target ${made.id} is added. Try it: tollgate notify test ${made.id}`, made)
  },
})
