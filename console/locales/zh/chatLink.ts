export const chatLink = {
  none: '请联系管理员配置聊天链接',
  broken: '聊天链接配置错误，请联系管理员',
  nextChat: 'ChatGPT Next Web 官方示例',
  lobeChat: 'Lobe Chat 官方示例',
  ama: 'AMA 问天',
  unreadable: '聊天数据解析失败',
}
