import type { chat as zh } from '../zh/chat.ts'

export const chat: typeof zh = {
  noToken: 'There is no enabled token. Please make sure that one is enabled!',
  signIn: 'Please log in first',
  signInHint: 'The chat uses one of your tokens and opens once you have logged in.',
  openApp: 'Open {{name}}',
  app: '{{name}} is an application',
  appHint: 'It cannot be shown on this page. Open it on your device.',
  newTab: 'Open in a new tab',
  redirecting: 'Taking you to the chat…',
  redirectingHint: 'If nothing happens, use the button below.',
  askAdmin: 'Chat links are configured by the administrator in the operation settings.',
}
