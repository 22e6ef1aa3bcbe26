import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { profileGet } from './profile/get.ts'
import { profileList } from './profile/list.ts'
import { profileRemove } from './profile/remove.ts'
import { profileUse } from './profile/use.ts'

export function profile(cli: Cli): Command {
  const verbs = [profileList, profileGet, profileUse, profileRemove]
  return verbs.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('profile'))
}
