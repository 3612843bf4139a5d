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

DEVICES[5] = { -- Card antennas
  events = {
    [1] = {"CardsMoved", {{"at", "uint32", "one", 0}, {"added", "uint64", "list", 1}, {"to", "uint8", "list", 1}, {"removed", "uint64", "list", 1}, {"left", "uint8", "list", 1}, {"total", "uint8", "one", 0}}},
    [2] = {"CardOnEdge", {{"at", "uint32", "one", 0}, {"tag", "uint64", "one", 0}, {"antennas", "uint8", "list", 1}}},
    [3] = {"EdgeCleared", {{"at", "uint32", "one", 0}, {"tag", "uint64", "one", 0}}},
    [4] = {"TagTwice", {{"at", "uint32", "one", 0}, {"tag", "uint64", "one", 0}, {"antennas", "uint8", "list", 1}}},
    [5] = {"TagTwiceOver", {{"at", "uint32", "one", 0}, {"tag", "uint64", "one", 0}}},
    [6] = {"AntennaFault", {{"at", "uint32", "one", 0}, {"antenna", "uint8", "one", 0}, {"cause", "uint8", "one", 0, {[0] = "antenna_open", [1] = "antenna_short", [2] = "noise", [3] = "reader_hot"}}}},
    [7] = {"AntennaFaultOver", {{"at", "uint32", "one", 0}, {"antenna", "uint8", "one", 0}}},
    [8] = {"Picture", {{"at", "uint32", "one", 0}, {"snapshot", "uint16", "one", 0}, {"tags", "uint64", "list", 1}, {"on", "uint8", "list", 1}, {"edge", "uint64", "list", 1}, {"unread", "uint16", "one", 0}}},
  },
  live = {
    [1] = {"AntennaSignal", {{"antenna", "uint8", "one", 0}, {"signal", "uint8", "one", 0}, {"noise", "uint8", "one", 0}, {"cards", "uint8", "one", 0}}},
  },
  commands = {
    [1] = {"ReadAll", {{"snapshot", "uint16", "one", 0}}},
    [2] = {"Calibrate", {{"antenna", "uint8", "one", 0}}},
  },
  results = {
    [1] = {"ReadAllResult", {{"seats", "uint8", "one", 0}}},
    [2] = {"CalibrateResult", {{"noise", "uint8", "one", 0}, {"threshold", "uint8", "one", 0}}},
  },
  outputs = {},
}
DEVICES[2] = { -- Chip mat
  events = {
    [1] = {"TagsChanged", {{"at", "uint32", "one", 0}, {"report", "uint16", "one", 0}, {"added", "uint64", "list", 1}, {"to", "uint8", "list", 1}, {"removed", "uint64", "list", 1}, {"left", "uint8", "list", 1}, {"partial", "uint8", "list", 1}, {"total", "uint16", "one", 0}, {"more", "uint8", "one", 0}}},
    [2] = {"TagOnEdge", {{"at", "uint32", "one", 0}, {"tag", "uint64", "one", 0}, {"areas", "uint8", "list", 1}}},
    [3] = {"EdgeCleared", {{"at", "uint32", "one", 0}, {"tag", "uint64", "one", 0}}},
    [4] = {"AreaFault", {{"at", "uint32", "one", 0}, {"area", "uint8", "one", 0}, {"cause", "uint8", "one", 0, {[0] = "antenna_open", [1] = "antenna_short", [2] = "noise", [3] = "reader_hot"}}}},
    [5] = {"AreaFaultOver", {{"at", "uint32", "one", 0}, {"area", "uint8", "one", 0}}},
    [6] = {"Inventory", {{"at", "uint32", "one", 0}, {"snapshot", "uint16", "one", 0}, {"area", "uint8", "one", 0}, {"tags", "uint64", "list", 1}, {"total", "uint16", "one", 0}, {"edge", "uint64", "list", 1}, {"partial", "uint8", "one", 0}, {"more", "uint8", "one", 0}}},
  },
  live = {
    [1] = {"AreaSignal", {{"area", "uint8", "one", 0}, {"signal", "uint8", "one", 0}, {"noise", "uint8", "one", 0}, {"tags", "uint16", "one", 0}}},
  },
  commands = {
    [1] = {"ReadAll", {{"snapshot", "uint16", "one", 0}}},
    [2] = {"Calibrate", {{"area", "uint8", "one", 0}}},
  },
  results = {
    [1] = {"ReadAllResult", {{"areas", "uint8", "one", 0}}},
    [2] = {"CalibrateResult", {{"noise", "uint8", "one", 0}, {"threshold", "uint8", "one", 0}}},
  },
  outputs = {{"lamps", "uint64", "one", 0}},
}
DEVICES[3] = { -- Card shoe
  events = {
    [1] = {"CardOut", {{"at", "uint32", "one", 0}, {"draw", "uint32", "one", 0}, {"look", "uint8", "one", 0}, {"reading", "uint8", "one", 0, {[0] = "card", [1] = "unreadable", [2] = "cutting_card", [3] = "joker", [4] = "foreign"}}, {"card", "uint8", "one", 0}, {"confidence", "uint8", "one", 0}, {"second", "uint8", "one", 0}, {"second_confidence", "uint8", "one", 0}, {"face_up", "uint8", "one", 0}, {"forced", "uint8", "one", 0}}},
    [2] = {"TwoOut", {{"at", "uint32", "one", 0}, {"draw", "uint32", "one", 0}, {"readings", "uint8", "list", 1, {[0] = "card", [1] = "unreadable", [2] = "cutting_card", [3] = "joker", [4] = "foreign"}}, {"cards", "uint8", "list", 1}, {"confidences", "uint8", "list", 1}, {"order_known", "uint8", "one", 0}, {"forced", "uint8", "one", 0}}},
    [3] = {"PushedBack", {{"at", "uint32", "one", 0}, {"draw", "uint32", "one", 0}, {"card", "uint8", "one", 0}, {"confidence", "uint8", "one", 0}, {"told", "uint8", "one", 0}}},
    [4] = {"ConditionChanged", {{"at", "uint32", "one", 0}, {"condition", "uint8", "one", 0, {[0] = "lid_open", [1] = "empty", [2] = "reader_dirty"}}, {"on", "uint8", "one", 0}}},
    [5] = {"PoweredUp", {{"at", "uint32", "one", 0}, {"kept_memory", "uint8", "one", 0}, {"next_draw", "uint32", "one", 0}, {"lid_open", "uint8", "one", 0}, {"empty", "uint8", "one", 0}, {"reader_dirty", "uint8", "one", 0}}},
  },
  live = {
    [1] = {"ReaderSignal", {{"contrast", "uint8", "one", 0}}},
  },
  commands = {
  },
  results = {
  },
  outputs = {{"locked", "uint8", "one", 0}, {"lamp", "uint8", "one", 0, {[0] = "off", [1] = "green", [2] = "amber", [3] = "red"}}},
}
DEVICES[4] = { -- Shuffler
  events = {
    [1] = {"CardOut", {{"at", "uint32", "one", 0}, {"draw", "uint32", "one", 0}, {"look", "uint8", "one", 0}, {"reading", "uint8", "one", 0, {[0] = "card", [1] = "unreadable", [2] = "cutting_card", [3] = "joker", [4] = "foreign"}}, {"card", "uint8", "one", 0}, {"confidence", "uint8", "one", 0}, {"second", "uint8", "one", 0}, {"second_confidence", "uint8", "one", 0}, {"face_up", "uint8", "one", 0}, {"forced", "uint8", "one", 0}}},
    [2] = {"TwoOut", {{"at", "uint32", "one", 0}, {"draw", "uint32", "one", 0}, {"readings", "uint8", "list", 1, {[0] = "card", [1] = "unreadable", [2] = "cutting_card", [3] = "joker", [4] = "foreign"}}, {"cards", "uint8", "list", 1}, {"confidences", "uint8", "list", 1}, {"order_known", "uint8", "one", 0}, {"forced", "uint8", "one", 0}}},
    [3] = {"PushedBack", {{"at", "uint32", "one", 0}, {"draw", "uint32", "one", 0}, {"card", "uint8", "one", 0}, {"confidence", "uint8", "one", 0}, {"told", "uint8", "one", 0}}},
    [4] = {"ConditionChanged", {{"at", "uint32", "one", 0}, {"condition", "uint8", "one", 0, {[0] = "door_open", [1] = "mouth_empty", [2] = "reader_dirty"}}, {"on", "uint8", "one", 0}}},
    [5] = {"PoweredUp", {{"at", "uint32", "one", 0}, {"kept_memory", "uint8", "one", 0}, {"next_draw", "uint32", "one", 0}, {"state", "uint8", "one", 0, {[0] = "empty", [1] = "shuffling", [2] = "ready", [3] = "checking", [4] = "jammed", [5] = "stopped"}}, {"mode", "uint8", "one", 0, {[0] = "shuffle", [1] = "sort", [2] = "single_deck"}}, {"inside", "uint16", "one", 0}, {"certain", "uint8", "one", 0}, {"occupied", "uint8", "one", 0}, {"mouth", "uint8", "one", 0, {[0] = "nothing", [1] = "one", [2] = "several"}}, {"door_open", "uint8", "one", 0}, {"mouth_empty", "uint8", "one", 0}, {"reader_dirty", "uint8", "one", 0}}},
    [6] = {"CardPresented", {{"at", "uint32", "one", 0}, {"draw", "uint32", "one", 0}}},
    [7] = {"TwoPresented", {{"at", "uint32", "one", 0}, {"draw", "uint32", "one", 0}, {"order_known", "uint8", "one", 0}}},
    [8] = {"Loaded", {{"at", "uint32", "one", 0}, {"added", "uint16", "one", 0}, {"inside", "uint16", "one", 0}}},
    [9] = {"StateChanged", {{"at", "uint32", "one", 0}, {"state", "uint8", "one", 0, {[0] = "empty", [1] = "shuffling", [2] = "ready", [3] = "checking", [4] = "jammed", [5] = "stopped"}}, {"inside", "uint16", "one", 0}, {"certain", "uint8", "one", 0}}},
    [10] = {"ModeChanged", {{"at", "uint32", "one", 0}, {"mode", "uint8", "one", 0, {[0] = "shuffle", [1] = "sort", [2] = "single_deck"}}, {"by", "uint8", "one", 0, {[0] = "host", [1] = "keys", [2] = "machine"}}}},
    [11] = {"Jam", {{"at", "uint32", "one", 0}, {"jam", "uint16", "one", 0}, {"place", "uint8", "one", 0, {[0] = "feed", [1] = "wheel", [2] = "mouth"}}, {"compartment", "uint8", "one", 0}, {"recovering", "uint8", "one", 0}}},
    [12] = {"JamOver", {{"at", "uint32", "one", 0}, {"jam", "uint16", "one", 0}, {"place", "uint8", "one", 0, {[0] = "feed", [1] = "wheel", [2] = "mouth"}}, {"by", "uint8", "one", 0, {[0] = "host", [1] = "keys", [2] = "machine"}}, {"state", "uint8", "one", 0, {[0] = "empty", [1] = "shuffling", [2] = "ready", [3] = "checking", [4] = "jammed", [5] = "stopped"}}, {"inside", "uint16", "one", 0}, {"certain", "uint8", "one", 0}}},
    [13] = {"DeckChecked", {{"at", "uint32", "one", 0}, {"check", "uint16", "one", 0}, {"decks", "uint8", "one", 0}, {"complete", "uint8", "one", 0}, {"count", "uint16", "one", 0}, {"tally", "uint8", "list", 1}, {"unread", "uint8", "one", 0}, {"jokers", "uint8", "one", 0}, {"foreign", "uint8", "one", 0}, {"boxed", "uint8", "list", 1}}},
  },
  live = {
    [1] = {"Inside", {{"inside", "uint16", "one", 0}, {"contrast", "uint8", "one", 0}}},
  },
  commands = {
    [1] = {"Eject", {}},
    [2] = {"StartCheck", {{"check", "uint16", "one", 0}, {"decks", "uint8", "one", 0}}},
    [3] = {"SetMode", {{"mode", "uint8", "one", 0, {[0] = "shuffle", [1] = "sort", [2] = "single_deck"}}}},
    [4] = {"Count", {}},
  },
  results = {
    [1] = {"EjectResult", {{"draw", "uint32", "one", 0}}},
    [2] = {"StartCheckResult", {{"count", "uint16", "one", 0}}},
    [3] = {"SetModeResult", {{"mode", "uint8", "one", 0, {[0] = "shuffle", [1] = "sort", [2] = "single_deck"}}}},
    [4] = {"CountResult", {{"inside", "uint16", "one", 0}, {"certain", "uint8", "one", 0}}},
  },
  outputs = {{"locked", "uint8", "one", 0}, {"lamp", "uint8", "one", 0, {[0] = "off", [1] = "green", [2] = "amber", [3] = "red"}}},
}
DEVICES[1] = { -- Wheel sensor
  events = {
    [1] = {"SpinStarted", {{"spin", "uint32", "one", 0}, {"angle", "uint16", "one", 0}, {"sense", "uint8", "one", 0, {[1] = "clockwise", [2] = "anticlockwise"}}, {"homed", "uint8", "one", 0}, {"wound_back", "uint16", "one", 0}}},
    [2] = {"TurnPassed", {{"spin", "uint32", "one", 0}, {"turn", "uint8", "one", 0}, {"pitches", "uint16", "list", 1}, {"index", "int16", "one", 0}, {"indexes", "uint8", "one", 0}, {"ticks", "uint8", "one", 0}, {"tick_phase", "uint8", "one", 0}, {"tick_spread", "uint8", "one", 0}, {"illegal", "uint8", "one", 0}}},
    [3] = {"SpinRested", {{"spin", "uint32", "one", 0}, {"turns", "uint8", "one", 0}, {"gap", "uint8", "one", 0}, {"pitches", "uint16", "list", 1}, {"lowest", "int32", "one", 0}, {"peak", "int32", "one", 0}, {"rest", "int32", "one", 0}, {"still", "uint16", "one", 0}, {"index", "int16", "one", 0}, {"indexes", "uint8", "one", 0}, {"ticks", "uint8", "one", 0}, {"back_ticks", "uint8", "one", 0}, {"tick_phase", "uint8", "one", 0}, {"tick_spread", "uint8", "one", 0}, {"illegal", "uint8", "one", 0}, {"stray", "uint8", "one", 0}, {"deflection", "uint8", "one", 0}, {"approach", "int16", "list", 1}}},
    [4] = {"Moved", {{"before", "uint16", "one", 0}, {"after", "uint16", "one", 0}, {"fastest", "uint16", "one", 0}}},
  },
  live = {
    [1] = {"Turning", {{"spin", "uint32", "one", 0}, {"angle", "uint16", "one", 0}, {"speed", "int16", "one", 0}}},
  },
  commands = {
    [1] = {"ReadAngle", {}},
    [2] = {"SelfTest", {}},
    [3] = {"Rehome", {}},
  },
  results = {
    [1] = {"ReadAngleResult", {{"angle", "uint16", "one", 0}, {"homed", "uint8", "one", 0}, {"moving", "uint8", "one", 0}}},
    [2] = {"SelfTestResult", {{"ring", "uint8", "one", 0}, {"index", "uint8", "one", 0}, {"indicator", "uint8", "one", 0}, {"illegal", "uint16", "one", 0}}},
    [3] = {"RehomeResult", {}},
  },
  outputs = {{"lamp", "uint8", "one", 0, {[0] = "off", [1] = "steady", [2] = "blinking"}}, {"live_rate", "uint8", "one", 0}},
}

local STATUS = { [0] = "done", [1] = "refused", [2] = "failed" }
local REASON = {{"reason", "uint8", "text", 1}}
local code_of, asked = {}, {}

local function inside(tree, info, range, device)
  local kind = range(0, 1):uint()
  tree:add(f.kind, range(0, 1))
  local own = LINK[kind]
  if own then
    info.cols.info = own[1]
    show_all(tree, range, 1, own[2])
    if kind == 0x81 and range:len() > 6 then
      tree:add(f.code, range(6, 1))
      code_of.last = range(6, 1):uint()
    end
    return
  end
  local name, group = nil, nil
  if kind == 0x82 then name, group = "EVENT", "events"
  elseif kind == 0x83 then name, group = "RESULT", "results"
  elseif kind == 0x03 then name, group = "COMMAND", "commands"
  elseif kind == 0x84 then name, group = "LIVE", "live"
  elseif kind == 0x04 then name = "SET" end
  if name == nil then info.cols.info = "unknown kind" tree:add_proto_expert_info(odd) return end
  if kind == 0x04 then
    info.cols.info = name
    if range:len() < 3 then tree:add_proto_expert_info(odd) return end
    tree:add_le(f.number, range(1, 2))
    if device then show_all(tree, range, 3, device.outputs) end
    return
  end
  local at = 1
  if kind ~= 0x84 then
    if range:len() < 6 then tree:add_proto_expert_info(odd) return end
    tree:add_le(f.number, range(1, 4))
    at = 5
  elseif range:len() < 2 then tree:add_proto_expert_info(odd) return end
  local id = range(at, 1):uint()
  if kind == 0x83 then
    local command = asked[range(1, 4):le_uint()]
    info.cols.info = name .. " " .. (STATUS[id] or "?")
    if id ~= 0 then show_all(tree, range, 6, REASON)
    elseif device and command and device.results[command] then show_all(tree, range, 6, device.results[command][2]) end
    return
  end
  if kind == 0x03 then asked[range(1, 4):le_uint()] = id end
  local message = device and device[group][id]
  info.cols.info = name .. " " .. (message and message[1] or tostring(id))
  if message then
    tree:add(f.message, range(at, 1), message[1])
    show_all(tree, range, at + 1, message[2])
  end
end

function p.dissector(buffer, info, root)
  info.cols.protocol = "TABLE"
  local tree = root:add(p, buffer())
  tree:add(f.way, buffer(0, 1))
  local stuffed = buffer(1, buffer:len() - 2):bytes()
  local octets = buffer:len() > 2 and uncobs(stuffed) or nil
  if octets == nil or #octets < 5 then
    info.cols.info = "DAMAGED"
    tree:add_proto_expert_info(bad)
    return
  end
  local said = octets[#octets - 3] + octets[#octets - 2] * 256 + octets[#octets - 1] * 65536 + octets[#octets] * 16777216
  local ours = crc32(octets, #octets - 4)
  if ours < 0 then ours = ours + 4294967296 end
  local array = ByteArray.new()
  array:set_size(#octets - 4)
  for n = 1, #octets - 4 do array:set_index(n - 1, octets[n]) end
  local range = array:tvb("Frame")
  tree:add(f.crc_ok, ours == said)
  if ours ~= said then
    info.cols.info = "DAMAGED: CRC"
    tree:add_proto_expert_info(bad)
    return
  end
  inside(tree, info, range(), DEVICES[code_of.last or 0])
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, p)
