import type { TFunction } from 'i18next'
import { isChannelTest, type LogRow } from '../../api/logs.ts'

/** Returns the name of a row's token, or the text "channel test" for a channel test, which has no token. */
export const tokenText = (t: TFunction, row: LogRow): string =>
  isChannelTest(row) ? t('log.channelTest') : row.token_name
