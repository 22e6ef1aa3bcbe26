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
  addToken: 'Add a token',
  addUser: 'Add a user',
  addCode: 'Add a redemption code',
  request: 'Open request: {{id}}',
  option: '{{area}}: {{option}}',
  channel: 'Channel: {{name}}',
  user: 'User: {{name}}',
  token: 'Token: {{name}}',
  model: 'Model: {{name}}',
  tab: {
    operation: 'Operation',
    system: 'System',
    other: 'Other',
  },
}
