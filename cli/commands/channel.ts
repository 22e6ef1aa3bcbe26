import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { channelAdd } from './channel/add.ts'
import { channelDelete } from './channel/delete.ts'
import { channelDisable } from './channel/disable.ts'
import { channelEnable } from './channel/enable.ts'
import { channelGet } from './channel/get.ts'
import { channelHealth } from './channel/health.ts'
import { channelList } from './channel/list.ts'
import { channelTest } from './channel/test.ts'

export function channel(cli: Cli): Command {
  const verbs = [
    channelAdd,
    channelList,
    channelGet,
    channelTest,
    channelHealth,
    channelEnable,
    channelDisable,
    channelDelete,
  ]
  return verbs.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('channel'))
}
