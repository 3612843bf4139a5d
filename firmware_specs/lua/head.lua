-- Generated from firmware_specs/*.toml by python -m firmware_specs.generate; do not edit.
-- Put it into Wireshark's plugin folder, or: tshark -X lua_script:table_link.lua -r FILE.pcap -V
local p = Proto("tablelink", "Table link")
local f = {
  way = ProtoField.uint8("tablelink.way", "Way", base.DEC, {[0] = "from the host", [1] = "from the device"}),
  kind = ProtoField.uint8("tablelink.kind", "Kind", base.HEX),
  crc = ProtoField.uint32("tablelink.crc", "CRC-32", base.HEX),
  crc_ok = ProtoField.bool("tablelink.crc.ok", "CRC-32 fits"),
  u = ProtoField.string("tablelink.field", "Field"),
  bytes = ProtoField.bytes("tablelink.bytes", "Bytes"),
  code = ProtoField.uint8("tablelink.code", "Device code"),
  number = ProtoField.uint32("tablelink.number", "Number"),
  message = ProtoField.string("tablelink.message", "Message"),
}
p.fields = f
local bad = ProtoExpert.new("tablelink.bad", "Damaged frame", expert.group.CHECKSUM, expert.severity.ERROR)
local odd = ProtoExpert.new("tablelink.odd", "Does not fit its declaration", expert.group.MALFORMED, expert.severity.WARN)
p.experts = { bad, odd }

local function uncobs(bytes)
  local out, at = {}, 0
  while at < bytes:len() do
    local code = bytes:get_index(at)
    if code == 0 or at + code > bytes:len() then return nil end
    for n = 1, code - 1 do out[#out + 1] = bytes:get_index(at + n) end
    at = at + code
    if code < 255 and at < bytes:len() then out[#out + 1] = 0 end
  end
  return out
end

local function crc32(octets, count)
  local crc = 0xFFFFFFFF
  for n = 1, count do
    crc = bit.bxor(crc, octets[n])
    for _ = 1, 8 do
      local low = bit.band(crc, 1)
      crc = bit.rshift(crc, 1)
      if low == 1 then crc = bit.bxor(crc, 0xEDB88320) end
    end
  end
  return bit.band(bit.bnot(crc), 0xFFFFFFFF)
end

local width = { uint8 = 1, int8 = 1, uint16 = 2, int16 = 2, uint32 = 4, int32 = 4, uint64 = 8 }
local function value(range, kind)
  if kind == "uint64" then return tostring(range:le_uint64()) end
  if kind:sub(1, 1) == "i" then return range:le_int() end
  return range:le_uint()
end

-- One field: name, kind, shape ("one", "list", "text", "bytes"), bytes of its count, names of enum values or nil.
local function show(tree, range, at, field)
  local name, kind, shape, size, names = field[1], field[2], field[3], field[4], field[5]
  if shape == "one" then
    if at + width[kind] > range:len() then return nil end
    local v = value(range(at, width[kind]), kind)
    tree:add(f.u, range(at, width[kind]), name .. " = " .. tostring(names and names[v] or v))
    return at + width[kind]
  end
  if at + size > range:len() then return nil end
  local count = range(at, size):le_uint()
  local each = (shape == "list") and width[kind] or 1
  if at + size + count * each > range:len() then return nil end
  if shape == "text" then
    tree:add(f.u, range(at, size + count), name .. " = " .. (count > 0 and range(at + size, count):string() or ""))
  elseif shape == "bytes" then
    tree:add(f.u, range(at, size + count), name .. " = " .. count .. " bytes")
  else
    local all = {}
    for n = 0, count - 1 do
      local v = value(range(at + size + n * each, each), kind)
      all[#all + 1] = tostring(names and names[v] or v)
    end
    tree:add(f.u, range(at, size + count * each), name .. " = [" .. table.concat(all, ", ") .. "]")
  end
  return at + size + count * each
end

local function show_all(tree, range, at, fields)
  for _, field in ipairs(fields) do
    at = show(tree, range, at, field)
    if at == nil then tree:add_proto_expert_info(odd) return end
  end
  if at < range:len() then tree:add(f.bytes, range(at)) end
end

local DEVICES = {}
local LINK = {
  [0x01] = {"HELLO", {{"link version", "uint8", "one"}, {"nonce", "uint32", "one"}, {"epoch", "uint32", "one"}, {"number", "uint32", "one"}}},
  [0x02] = {"ACK", {{"epoch", "uint32", "one"}, {"received", "uint32", "one"}, {"durable", "uint32", "one"}, {"resend", "uint8", "one"}}},
  [0x05] = {"PROOF", {{"nonce", "uint32", "one"}}},
  [0x06] = {"PAIR", {{"nonce", "uint32", "one"}}},
  [0x07] = {"SEALED", {{"counter", "uint32", "one"}}},
  [0x81] = {"IDENTITY", {{"link version", "uint8", "one"}, {"nonce", "uint32", "one"}, {"device code", "uint8", "one"}, {"spec version", "uint16", "one"},
    {"digest (first half)", "uint32", "one"}, {"digest (second half)", "uint32", "one"}, {"capabilities", "uint32", "one"}, {"boot", "uint32", "one"},
    {"epoch", "uint32", "one"}, {"oldest", "uint32", "one"}, {"next", "uint32", "one"}, {"serial", "uint8", "text", 1}, {"firmware", "uint8", "text", 1}}},
  [0x85] = {"APPLIED", {{"revision", "uint16", "one"}}},
  [0x86] = {"BEAT", {}},
  [0x87] = {"SEALED", {{"counter", "uint32", "one"}}},
}
