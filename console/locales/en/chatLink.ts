import type { chatLink as zh } from '../zh/chatLink.ts'

export const chatLink: typeof zh = {
  none: 'Please ask the administrator to configure a chat link',
  broken: 'The chat link is not configured correctly, please contact the administrator',
  nextChat: 'ChatGPT Next Web demo',
  lobeChat: 'Lobe Chat demo',
  ama: 'AMA',
  unreadable: 'The chat links could not be read',
}
