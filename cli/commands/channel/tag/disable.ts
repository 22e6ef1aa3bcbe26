import { Command } from 'commander'
import type { Cli } from '../../../cli.ts'

export function tagDisable(cli: Cli): Command {
  return new Command('disable')
    .description('Disable all channels of a tag')
    .argument('<tag>', 'the tag, whole')
    .addHelpText('after', '\nExamples:\n  tollgate channel tag disable spare')
    .action(async (tag: string) => {
      const [{ toolkit, actor }, { CHANNEL_STATUS }, { countTagged }] = await Promise.all([
        cli.open(),
        import('../../../../core/channels/channel.ts'),
        import('./count.ts'),
      ])
      const channels = await countTagged(toolkit, actor, tag)
      await toolkit.channels.setTagStatus(actor, tag, CHANNEL_STATUS.disabled)
      cli.report(cli.say`Disabled ${channels} channels with the tag ${tag}.`, { tag, channels })
    })
}
