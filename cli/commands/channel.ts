import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { channelAdd } from './channel/add.ts'
import { channelBalance } from './channel/balance.ts'
import { channelCopy } from './channel/copy.ts'
import { channelDelete } from './channel/delete.ts'
import { channelDisable } from './channel/disable.ts'
import { channelEnable } from './channel/enable.ts'
import { channelFix } from './channel/fix.ts'
import { channelGet } from './channel/get.ts'
import { channelHealth } from './channel/health.ts'
import { channelList } from './channel/list.ts'
import { channelModels } from './channel/models.ts'
import { channelPresets } from './channel/presets.ts'
import { channelPrune } from './channel/prune.ts'
import { channelTag } from './channel/tag.ts'
import { channelTags } from './channel/tags.ts'
import { channelTest } from './channel/test.ts'
import { channelTypes } from './channel/types.ts'
import { channelUpdate } from './channel/update.ts'

export function channel(cli: Cli): Command {
  const verbs = [
    channelAdd,
    channelList,
    channelGet,
    channelUpdate,
    channelCopy,
    channelDisable,
    channelEnable,
    channelDelete,
    channelPrune,
    channelTest,
    channelBalance,
    channelModels,
    channelHealth,
    channelTags,
    channelTag,
    channelFix,
    channelTypes,
    channelPresets,
  ]
  return verbs.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('channel'))
}
