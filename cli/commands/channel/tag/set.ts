import { Command } from 'commander'
import type { Cli } from '../../../cli.ts'
import { usageError } from '../../../errors.ts'
import { positiveInts } from '../../../input/arguments.ts'
import { counted } from '../../../input/enum-labels.ts'
import { type BulkFlags, withBulkFlags } from '../../../run/bulk.ts'

export function tagSet(cli: Cli): Command {
  const command = new Command('set')
    .description('Give channels a tag, instead of the one that they have')
    .argument('<tag>', 'the tag')
    .argument('<id...>', 'numbers of the channels', positiveInts)
  return withBulkFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate channel tag set spare 1')
    .action(async (tag: string, ids: number[], { keepGoing }: BulkFlags) => {
      if (tag.trim() === '') throw usageError(cli.say`a tag is not empty; to take one away: tollgate channel tag unset`)
      const [{ toolkit, actor }, { findChannels }] = await Promise.all([cli.open(), import('../find.ts')])
      const found = (await findChannels(cli, toolkit, actor, { ids, keepGoing })).map(({ id }) => id)
      await toolkit.channels.tagChannels(actor, found, tag)
      cli.report(
        counted(
          found.length,
          cli.say`1 channel has the tag ${tag}.`,
          cli.say`${found.length} channels have the tag ${tag}.`,
        ),
        { tag: tag.trim(), ids: found },
      )
    })
}
