import { Command } from 'commander'
import type { Cli } from '../../../cli.ts'

export function tagEnable(cli: Cli): Command {
  return new Command('enable')
    .description('Enable all channels of a tag, also those that a test or a rule disabled')
    .argument('<tag>', 'the tag, whole')
    .addHelpText('after', '\nExamples:\n  tollgate channel tag enable spare')
    .action(async (tag: string) => {
      const [{ toolkit, actor }, { CHANNEL_STATUS }, { countTagged }] = await Promise.all([
        cli.open(),
        import('../../../../core/channels/channel.ts'),
        import('./count.ts'),
      ])
      const channels = await countTagged(toolkit, actor, tag)
      await toolkit.channels.setTagStatus(actor, tag, CHANNEL_STATUS.enabled)
      cli.report(cli.say`Enabled ${channels} channels with the tag ${tag}.`, { tag, channels })
    })
}
