import type { palette as zh } from '../zh/palette.ts'

export const palette: typeof zh = {
  title: 'Command palette',
  placeholder: 'Type a screen, an action, or what to look for',
  language: 'Switch to Chinese',
  addChannel: 'Add a channel',
  findToken: 'Find tokens: {{text}}',
  findModel: 'Find model prices: {{text}}',
  findChannel: 'Find channels: {{text}}',
  findUser: 'Find users: {{text}}',
  tab: {
    operation: 'Operation',
    system: 'System',
    other: 'Other',
  },
}
