import type { ComponentType } from 'react'
import { ROLE } from '../../core/actor.ts'
import { ChannelsScreen } from './screens/channels.tsx'
import { LogsScreen } from './screens/logs.tsx'
import { OptionsScreen } from './screens/options.tsx'
import { OverviewScreen } from './screens/overview.tsx'
import { RedemptionScreen } from './screens/redemption.tsx'
import { TokensScreen } from './screens/tokens.tsx'
import { UsersScreen } from './screens/users.tsx'

export interface ScreenEntry {
  /** The key that opens it; the same for everybody, whatever they may see. */
  digit: string
  title: string
  /** The lowest role that may ask for what it shows. */
  role: number
  Screen: ComponentType
}

export const SCREENS: readonly ScreenEntry[] = [
  { digit: '1', title: 'Overview', role: ROLE.common, Screen: OverviewScreen },
  { digit: '2', title: 'Channels', role: ROLE.admin, Screen: ChannelsScreen },
  { digit: '3', title: 'Tokens', role: ROLE.common, Screen: TokensScreen },
  { digit: '4', title: 'Users', role: ROLE.admin, Screen: UsersScreen },
  { digit: '5', title: 'Codes', role: ROLE.admin, Screen: RedemptionScreen },
  { digit: '6', title: 'Logs', role: ROLE.common, Screen: LogsScreen },
  { digit: '7', title: 'Options', role: ROLE.root, Screen: OptionsScreen },
]

/** The keys of these screens, as people write them. */
export function digitsOf(screens: readonly ScreenEntry[]): string {
  const digits = screens.map(({ digit }) => digit)
  const whole = digits.length > 2 && Number(digits.at(-1)) - Number(digits[0]) === digits.length - 1
  return whole ? `${digits[0]}–${digits.at(-1)}` : digits.join(' ')
}
