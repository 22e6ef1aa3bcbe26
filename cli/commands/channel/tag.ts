import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { tagDisable } from './tag/disable.ts'
import { tagEdit } from './tag/edit.ts'
import { tagEnable } from './tag/enable.ts'
import { tagSet } from './tag/set.ts'
import { tagUnset } from './tag/unset.ts'

export function channelTag(cli: Cli): Command {
  const noun = new Command('tag')
    .description('Give tags, and change all channels of a tag')
    .addHelpText('after', '\nExamples:\n  tollgate channel tag set spare 1')
  return [tagEdit, tagDisable, tagEnable, tagSet, tagUnset].reduce((all, verb) => all.addCommand(verb(cli)), noun)
}
