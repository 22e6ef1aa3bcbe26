export const chatLink = {
  none: '请联系管理员配置聊天链接',
  broken: '聊天链接配置错误，请联系管理员',
  unreadable: '聊天数据解析失败',
}
